"""Databricks' metadata and outputs, of kinds that nobody else knows.

seen: rapidsai/deployment#323
"""


def build(notebook):
    own = {"application/vnd.databricks.v1+cell": {"cellMetadata": {}, "nuid": "1f", "showTitle": False, "title": ""}}
    for cell in notebook["cells"]:
        cell["metadata"] |= own
        if cell["cell_type"] == "code":
            cell["outputs"] = [{"output_type": "display_data", "metadata": own, "data": own}]
    notebook["metadata"]["application/vnd.databricks.v1+notebook"] = {"language": "python", "widgets": {}}
    return {**notebook, "nbformat_minor": 0}
