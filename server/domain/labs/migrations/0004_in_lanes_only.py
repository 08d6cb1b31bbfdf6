from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Apart from the one before: PostgreSQL alters no table whose rows were changed in the same transaction."""

    dependencies = [("labs", "0003_lanes")]

    operations = [
        migrations.AlterField(
            "gradingrun",
            "lane",
            models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="runs", to="labs.lane"
            ),
        ),
        migrations.RemoveIndex("gradingrun", "run_queue"),
        migrations.RemoveField("gradingrun", "turn_at"),
        migrations.AddIndex(
            "gradingrun",
            models.Index(
                condition=models.Q(state="queued"), fields=["lane", "turn", "id", "not_before"], name="run_queue"
            ),
        ),
    ]
