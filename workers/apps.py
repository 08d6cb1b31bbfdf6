from django.apps import AppConfig


class WorkersConfig(AppConfig):
    """Installed for its management commands; it has no models."""

    name = "workers"
