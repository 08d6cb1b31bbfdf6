"""Signing in and out."""

from __future__ import annotations

from django.contrib.auth.views import LoginView, LogoutView

from server.web.forms import SignInForm


class SignIn(LoginView):
    template_name = "learner/sign_in.html"
    form_class = SignInForm
    redirect_authenticated_user = True


class SignOut(LogoutView):
    http_method_names = ["post", "options"]
