from __future__ import annotations

from typing import Any

import django.db.models.deletion
from django.db import migrations, models


def line_up(apps: Any, schema_editor: Any) -> None:
    """Put every run into its class's lane; what waits keeps the order in which it waited."""
    runs, lanes = apps.get_model("labs", "GradingRun").objects, apps.get_model("labs", "Lane").objects
    made: dict[tuple[int, int], Any] = {}
    turns: dict[tuple[int, int, int], int] = {}
    of = ("kind", "submission__klass", "submission__user", "submission__lab_slug")
    for pk, state, kind, klass, student, lab in runs.order_by("turn_at", "id").values_list("pk", "state", *of):
        if (klass, kind) not in made:
            made[klass, kind] = lanes.create(klass_id=klass, kind=kind, turn=len(made) + 1)
        lane = made[klass, kind]
        turn = 0
        if state == "queued":
            turn = turns[klass, kind, student] = turns.get((klass, kind, student), 0) + 1
            lane.waiting += 1
            lane.labs[lab] = lane.labs.get(lab, 0) + 1
        runs.filter(pk=pk).update(lane=lane, turn=turn)
    for lane in made.values():
        lane.save()


class Migration(migrations.Migration):
    dependencies = [("catalog", "0001_initial"), ("labs", "0002_regrades")]

    operations = [
        migrations.CreateModel(
            name="Lane",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.PositiveSmallIntegerField()),
                ("turn", models.PositiveBigIntegerField(default=0)),
                ("round", models.PositiveIntegerField(default=0)),
                ("waiting", models.PositiveIntegerField(default=0)),
                ("labs", models.JSONField(default=dict)),
                (
                    "klass",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="lanes", to="catalog.class"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["kind", "turn", "id"], condition=models.Q(waiting__gt=0), name="lane_next"),
                    models.Index(fields=["turn"], name="lane_last"),
                ],
                "constraints": [models.UniqueConstraint(fields=("klass", "kind"), name="lane_once")],
            },
        ),
        migrations.CreateModel(
            name="LabPace",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("lab_slug", models.SlugField(max_length=80)),
                ("runs", models.PositiveIntegerField()),
                ("mean_s", models.FloatField()),
                ("mean_square", models.FloatField()),
                (
                    "course",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="catalog.course"
                    ),
                ),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("course", "lab_slug"), name="pace_once")]},
        ),
        migrations.AddField("gradingrun", "turn", models.PositiveIntegerField(default=0), preserve_default=False),
        migrations.AddField(
            "gradingrun",
            "lane",
            models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="runs",
                to="labs.lane",
            ),
        ),
        migrations.RunPython(line_up, migrations.RunPython.noop, elidable=True),
    ]
