"""What all modules share: the library, its errors, long work that can be interrupted."""

from __future__ import annotations

import threading
from typing import Any, Callable, Optional, TypeVar

from ._macaw import ffi, lib

T = TypeVar("T")
NONE: int = lib.MACAW_NONE


class Error(Exception):
    """Anything that the library refuses or fails to do."""


class InputError(Error, ValueError):
    """Rules, a network, a record, a position or a move that is wrong."""


class UsageError(Error, ValueError):
    """An unknown player or method, or an option out of its bounds."""


class MachineError(Error, OSError):
    """A file that cannot be read or written, no thread, no port."""


class OutOfMemory(Error, MemoryError):
    """Memory ran out; the object that was asked can only be dropped."""


_KINDS = {lib.MACAW_INPUT: InputError, lib.MACAW_USAGE: UsageError, lib.MACAW_MACHINE: MachineError,
          lib.MACAW_MEMORY: OutOfMemory}


def text(value: Any) -> Optional[str]:
    """A text that belongs to the library; NULL is None."""
    return None if value == ffi.NULL else ffi.string(value).decode("utf-8", "replace")


def taken(value: Any) -> str:
    """A text that belongs to the caller: read and freed."""
    if value == ffi.NULL:
        raise OutOfMemory("out of memory")
    try:
        return ffi.string(value).decode("utf-8", "replace")
    finally:
        lib.macaw_free(value)


def new_error() -> Any:
    return ffi.new("macaw_error *")


def fail(error: Any, fallback: str = "out of memory") -> Exception:
    """The exception for a macaw_error *; to be raised by the caller."""
    if error == ffi.NULL or error.status == lib.MACAW_OK:
        return OutOfMemory(fallback)
    return _KINDS.get(error.status, Error)(ffi.string(error.text).decode("utf-8", "replace"))


def checked(value: Any, error: Any, free: Optional[Callable[[Any], None]] = None, keep: Any = None) -> Any:
    """The object that a call made, freed with its Python object; or the exception for its error.

    keep  what must not be freed before it: the game it was made from"""
    if value == ffi.NULL:
        raise fail(error)
    if free is None:
        return value
    return ffi.gc(value, free if keep is None else lambda v, keep=keep, free=free: free(v))


def released(value: Any) -> Any:
    """An object that somebody else frees from now on."""
    ffi.gc(value, None)
    return value


def encode(value: "str | bytes") -> bytes:
    return value if isinstance(value, bytes) else str(value).encode("utf-8")


class Stop:
    """A flag that ends long work early, from any thread."""

    def __init__(self) -> None:
        self._flag = ffi.new("macaw_stop *")

    def now(self) -> None:
        """Ends the work that was given this flag, soon."""
        lib.macaw_stop_now(self._flag)


def interruptible(work: Callable[[], T], stop: Stop) -> T:
    """Runs long work so that Ctrl-C ends it.

    The library holds the thread that calls it, and Python handles signals in its main thread only, between instructions. So
    the main thread waits while another one works; on Ctrl-C it raises the flag, waits for the work to come back, and raises
    KeyboardInterrupt. Calls from other threads need none of that."""
    if threading.current_thread() is not threading.main_thread():
        return work()
    result: list = []

    def run() -> None:
        try:
            result.append((work(), None))
        except BaseException as exception:  # handed on to the caller
            result.append((None, exception))

    worker = threading.Thread(target=run, name="macaw")
    worker.start()
    interrupted = False
    while worker.is_alive():
        try:
            worker.join()
        except KeyboardInterrupt:
            interrupted = True
            stop.now()
    if interrupted:
        raise KeyboardInterrupt
    value, exception = result[0]
    if exception is not None:
        raise exception
    return value
