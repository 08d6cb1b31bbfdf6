from __future__ import annotations

from django.urls import include, path

from server.web import session
from server.web.instructor import views as instructor
from server.web.learner import views as learner

app_name = "web"

# /classes/<uuid>/
in_class = [
    path("", learner.show_class, name="class"),
    path("submissions/", instructor.submissions, name="submissions"),
    path("labs/<slug:lab_slug>/", learner.lab, name="lab"),
    path("labs/<slug:lab_slug>/starter.ipynb", learner.lab_starter, name="lab-starter"),
    path("labs/<slug:lab_slug>/submit", learner.submit, name="submit"),
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

urlpatterns = [
    path("", learner.home, name="home"),
    path("sign-in", session.SignIn.as_view(), name="sign-in"),
    path("sign-out", session.SignOut.as_view(), name="sign-out"),
    path("classes/<uuid:class_uuid>/", include(in_class)),
    path("submissions/<uuid:submission_uuid>/", include(of_submission)),
]
