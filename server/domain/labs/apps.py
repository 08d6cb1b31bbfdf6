from django.apps import AppConfig


class LabsConfig(AppConfig):
    name = "server.domain.labs"
    label = "labs"
    default_auto_field = "django.db.models.BigAutoField"
