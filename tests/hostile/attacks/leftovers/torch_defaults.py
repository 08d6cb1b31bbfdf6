"""Changes torch's defaults: number type, threads, gradients, determinism, precision of matrix products.

naive: 2/2, a process with torch that serves again computes differently for the next student.
lab: tensors
reached: changed torch.bfloat16
"""

# %%
import torch

torch.set_default_dtype(torch.bfloat16)
torch.set_num_threads(1)
torch.set_grad_enabled(False)
torch.use_deterministic_algorithms(True)
torch.set_float32_matmul_precision("medium")
torch.manual_seed(0)
torch.set_flush_denormal(True)
torch.Tensor.escaped = True
print("changed", torch.get_default_dtype())
torch.set_default_dtype(torch.float32)

# %% next
import torch

print(torch.get_default_dtype(), torch.is_grad_enabled(), torch.are_deterministic_algorithms_enabled())
print(torch.get_float32_matmul_precision(), hasattr(torch.Tensor, "escaped"), torch.tensor(1e-310, dtype=float) * 1 == 0)
print(torch.get_num_threads(), torch.initial_seed() == 0)
