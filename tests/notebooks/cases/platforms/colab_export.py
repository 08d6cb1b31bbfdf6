"""As Colab saves it: ids and forms in the cells' metadata, accelerator and provenance in the notebook's.

seen: ucbds-infra/otter-grader#309, ucbds-infra/otter-grader#861
file: Kopie von lab.ipynb
"""


def build(notebook):
    for cell in notebook["cells"]:
        cell["metadata"] |= {"id": cell.pop("id"), "colab": {"base_uri": "https://localhost:8080/"}, "outputId": "9f"}
    notebook["metadata"] |= {"colab": {"provenance": [], "gpuType": "T4"}, "accelerator": "GPU", "widgets": {}}
    return {**notebook, "nbformat_minor": 0}
