from __future__ import annotations

from django.urls import include, path

from server.web import session
from server.web.instructor import regrading
from server.web.instructor import views as instructor
from server.web.learner import views as learner

app_name = "web"

# /classes/<uuid>/
in_class = [
    path("", learner.show_class, name="class"),
    path("submissions/", instructor.submissions, name="submissions"),
    path("submissions/restart", instructor.restart_all, name="restart-all"),
    path("regrades/", regrading.index, name="regrades"),
    path("labs/<slug:lab_slug>/", learner.lab, name="lab"),
    path("labs/<slug:lab_slug>/starter.ipynb", learner.lab_starter, name="lab-starter"),
    path("labs/<slug:lab_slug>/submit", learner.submit, name="submit"),
    path("labs/<slug:lab_slug>/regrade", regrading.ask, name="regrade-ask"),
]

# /submissions/<uuid>/
of_submission = [
    path("", learner.run, name="run"),
    path("progress", learner.run_progress, name="run-progress"),
    path("report", learner.report, name="report"),
    path("notebook", learner.report_notebook, name="report-notebook"),
    path("notebook-frame", learner.notebook_frame, name="notebook-frame"),
    path("handed-in.ipynb", learner.handed_in, name="handed-in"),
    path("executed.ipynb", learner.executed, name="executed"),
    path("restart", instructor.restart, name="run-restart"),
]

# /regrades/<uuid>/
of_regrade = [
    path("", regrading.show, name="regrade"),
    path("progress", regrading.progress, name="regrade-progress"),
    path("changes.csv", regrading.changes, name="regrade-changes"),
    path("apply", regrading.apply, name="regrade-apply"),
    path("discard", regrading.discard, name="regrade-discard"),
    path("try-again", regrading.try_again, name="regrade-try-again"),
    path("add", regrading.add_latecomers, name="regrade-add"),
]

urlpatterns = [
    path("", learner.home, name="home"),
    path("sign-in", session.SignIn.as_view(), name="sign-in"),
    path("sign-out", session.SignOut.as_view(), name="sign-out"),
    path("classes/<uuid:class_uuid>/", include(in_class)),
    path("submissions/<uuid:submission_uuid>/", include(of_submission)),
    path("regrades/<uuid:regrade_uuid>/", include(of_regrade)),
]
