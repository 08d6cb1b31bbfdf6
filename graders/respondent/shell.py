"""IPython's shell without a terminal: what it shows goes to a Collector."""

from __future__ import annotations

import ast
import builtins
import codeop
import contextlib
import getpass
import os
import re
import select
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any, Final, NoReturn

from IPython.core.async_helpers import get_asyncio_loop
from IPython.core.compilerop import CachingCompiler
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.text import SList
from traitlets import Type
from traitlets.config import Config

from graders.respondent.outputs import Collector

NO_INPUT: Final = (
    "input() can't be answered while a notebook is graded: write the value into the cell instead of asking for it."
)
NO_DEBUGGER: Final = (
    "A debugger can't be used while a notebook is graded: take out %debug, %pdb, breakpoint() or set_trace()."
)
_IN_A_LOOP: Final = re.compile(r"\b(?:create_task|get_running_loop)\(")
_RUNS_A_LOOP: Final = re.compile(r"\.run(?:_until_complete)?\(")
_INCOMPLETE_INPUT: Final = getattr(codeop, "PyCF_ALLOW_INCOMPLETE_INPUT", 0)
PIPE_BYTES: Final = 1024 * 1024  # more than a pipe holds: one read after the end takes all that was written before it
NO_EXIT: Final = "The notebook can't be left by exit() or quit(): remove the call."


class _Compiler(CachingCompiler):  # type: ignore[misc]  # IPython has no types
    """Names a cell's code after the cell, so that an error can say where it was."""

    def get_code_name(self, raw_code: str, transformed_code: str, number: int) -> str:
        return f"<cell {number}>"

    def ast_parse(self, source: str, filename: str = "<unknown>", symbol: str = "exec") -> ast.AST:
        # Without IPython's leave to go on typing: of an open bracket it says no more than "incomplete input".
        flags = self.flags & ~_INCOMPLETE_INPUT | ast.PyCF_ONLY_AST
        tree: ast.AST = compile(source, filename, symbol, flags, dont_inherit=True)
        return tree


class _Hook(DisplayHook):  # type: ignore[misc]
    def write_output_prompt(self) -> None:
        pass

    def write_format_data(self, format_dict: dict[str, Any], md_dict: dict[str, Any] | None = None) -> None:
        self.shell.collector.show("execute_result", format_dict, md_dict, execution_count=self.shell.cell_number)

    def log_output(self, format_dict: dict[str, Any]) -> None:
        pass

    def finish_displayhook(self) -> None:
        self._is_active = False


class _Publisher(DisplayPublisher):  # type: ignore[misc]
    def publish(
        self,
        data: dict[str, Any],
        metadata: dict[str, Any] | None = None,
        source: object = None,
        *,
        transient: dict[str, Any] | None = None,
        update: bool = False,
        **_more: object,
    ) -> None:
        display_id = (transient or {}).get("display_id")
        if update:
            self.shell.collector.update(display_id, data, metadata)
        else:
            self.shell.collector.show("display_data", data, metadata, display_id=display_id)

    def clear_output(self, wait: bool = False) -> None:
        self.shell.collector.clear(wait)


class Shell(InteractiveShell):  # type: ignore[misc]
    displayhook_class = Type(_Hook)
    display_pub_class = Type(_Publisher)
    compiler_class = Type(_Compiler)
    collector: Collector
    cell_number: int = 0

    @property
    def call_pdb(self) -> bool:
        """Never: a debugger that nobody can use would hide the error that it was opened for."""
        return False

    @call_pdb.setter
    def call_pdb(self, _value: object) -> None:
        pass

    def should_run_async(self, raw_cell: str, **transformed: Any) -> bool:
        """As in Jupyter, one event loop serves all cells; here it runs only in those that need it, so that
        `asyncio.run` works too."""
        if "asyncio" in sys.modules or "asyncio" in raw_cell:
            with contextlib.suppress(Exception):  # an import that a time limit broke off, say: the cell will tell
                import asyncio  # not before somebody wants it: it takes longer than a small notebook

                asyncio.set_event_loop(get_asyncio_loop())
        wants_loop = _IN_A_LOOP.search(raw_cell) and not _RUNS_A_LOOP.search(raw_cell)
        return bool(wants_loop) or bool(super().should_run_async(raw_cell, **transformed))

    def enable_gui(self, gui: str | None = None) -> None:
        pass

    def ask_exit(self) -> NoReturn:
        raise SystemExit(NO_EXIT)

    def showtraceback(self, *args: Any, **kwargs: Any) -> None:
        # IPython shortens SystemExit to a hint about %tb, which nobody can follow in a graded notebook.
        kwargs["exception_only"] = False
        super().showtraceback(*args, **kwargs)

    def _showtraceback(self, etype: type[BaseException], evalue: BaseException, stb: list[str]) -> None:
        try:
            text = str(evalue)
        except Exception:  # noqa: BLE001  a student's __str__ may raise anything
            text = ""
        self.collector.error(etype.__name__, text, stb)

    @contextlib.contextmanager
    def _tee(self, channel: str) -> Iterator[None]:
        yield

    def system(self, cmd: str) -> None:
        code = _run_command(self.var_expand(cmd, depth=1), lambda text: self.collector.stream("stdout", text))
        self.user_ns["_exit_code"] = code

    def getoutput(self, cmd: str, split: bool = True, depth: int = 0) -> Any:
        if cmd.rstrip().endswith("&"):
            raise OSError("Background processes not supported.")
        pieces: list[str] = []
        _run_command(self.var_expand(cmd, depth=depth + 1), pieces.append)
        text = "".join(pieces)
        return SList(text.splitlines()) if split else text


def _run_command(command: str, write: Callable[[str], None]) -> int:
    """Run a shell line until it ends itself; what it left in the background may go on, but isn't waited for."""
    process = subprocess.Popen(
        ["/bin/sh", "-c", command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    assert process.stdout is not None  # noqa: S101  we asked for a pipe
    descriptor = process.stdout.fileno()
    os.set_blocking(descriptor, False)
    try:
        while True:
            ended = process.poll() is not None
            ready, _, _ = select.select([descriptor], [], [], 0 if ended else 0.02)
            data = os.read(descriptor, PIPE_BYTES) if ready else b""
            write(data.decode("utf-8", "replace"))
            if ended:
                return process.returncode
            if ready and not data:
                return process.wait()
    except BaseException:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        raise
    finally:
        process.stdout.close()


def _no_input(*_args: object, **_kwargs: object) -> NoReturn:
    __tracebackhide__ = True  # the student's line is the one to show
    asks = sys._getframe(1).f_globals.get("__name__")
    raise RuntimeError(NO_DEBUGGER if asks in ("cmd", "pdb", "IPython.core.debugger") else NO_INPUT)


def make_shell(collector: Collector) -> Shell:
    """The process's one shell."""
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.enable_tip = False
    shell: Shell = Shell.instance(config=config)
    shell.collector = collector
    warnings.filterwarnings("ignore", message="To exit: use")
    builtins.input = _no_input
    getpass.getpass = _no_input
    return shell
