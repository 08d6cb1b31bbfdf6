from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm


class SignInForm(AuthenticationForm):
    """Says one thing for a wrong name and a wrong password, so that it tells nobody which names exist."""

    error_messages = {
        "invalid_login": "That name and password don't match. Check both; capital letters count in the password.",
        "inactive": "That name and password don't match. Check both; capital letters count in the password.",
    }


class UploadForm(forms.Form):
    notebook = forms.FileField(
        error_messages={
            "required": "Choose a notebook first.",
            "missing": "Choose a notebook first.",
            "empty": "The file is empty. Save the notebook and choose it again.",
        },
        allow_empty_file=True,
    )
    form_key = forms.UUIDField(error_messages=dict.fromkeys(("required", "invalid"), "Reload this page and try again."))

    def fault(self) -> str:
        """The first sentence of what is wrong."""
        return _first_fault(self)


class RegradeForm(forms.Form):
    version = forms.IntegerField(
        error_messages=dict.fromkeys(("required", "invalid"), "Choose the version whose tests grade.")
    )
    reason = forms.CharField(required=False)
    keep_higher = forms.BooleanField(required=False)
    also_current = forms.BooleanField(required=False)

    def fault(self) -> str:
        """The first sentence of what is wrong."""
        return _first_fault(self)


def _first_fault(form: forms.Form) -> str:
    errors: dict[str, Any] = form.errors
    return next((str(messages[0]) for messages in errors.values()), "")
