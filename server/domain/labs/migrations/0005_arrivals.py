from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("labs", "0004_in_lanes_only")]

    operations = [
        migrations.AddField("lane", "arrivals", models.FloatField(default=0.0)),
        migrations.AddField("lane", "arrivals_at", models.DateTimeField(null=True)),
    ]
