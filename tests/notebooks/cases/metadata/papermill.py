"""Executed by papermill, which writes its times everywhere.

seen: nteract/papermill#569
"""


def build(notebook):
    for cell in notebook["cells"]:
        cell["metadata"] |= {"papermill": {"duration": 0.01, "exception": False, "status": "completed"}, "execution": {}}
    notebook["metadata"]["papermill"] = {"default_parameters": {}, "exception": None, "version": "2.6.0"}
    return notebook
