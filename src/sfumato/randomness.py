"""Secret, repeatable randomness.

The seed is an HMAC of the input and the policy under the holder's key: the same input under the same policy gives the
same release (fresh seeds every night would let releases be compared), and nobody without the key can replay it.
Numbers come from SHAKE-256, so that they neither change with a library's version nor reveal one another.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import InputError

__all__ = ["Key", "Randomness"]


_FEW = 512
"""So many places change with each other faster than a compiled loop is loaded."""
_DIFFERENT = 6
_TOO_UNIFORM = (
    f"it has fewer than {_DIFFERENT} different characters, spaces apart; set one that nobody could guess, such as what"
    ' python -c "import secrets; print(secrets.token_hex(32))" prints'
)


@dataclass(frozen=True)
class Key:
    """The holder's secret. Its id names it without telling it."""

    secret: bytes

    def __repr__(self) -> str:
        return f"Key({self.id})"

    @property
    def id(self) -> str:
        return hashlib.sha256(b"sfumato key id\0" + self.secret).hexdigest()[:16]

    @classmethod
    def load(cls) -> Key:
        """``$SFUMATO_KEY``, or the key file in the user's configuration folder, made on first use."""
        given = os.environ.get("SFUMATO_KEY")
        if given is not None:
            if len(given) < 16:
                raise InputError("SFUMATO_KEY is too short: use at least 16 characters nobody could guess")
            try:
                secret = given.encode()
            except UnicodeEncodeError:
                raise InputError("SFUMATO_KEY is not UTF-8 text; use letters and digits nobody could guess") from None
            if _uniform(given):
                raise InputError(f"SFUMATO_KEY is no secret: {_TOO_UNIFORM}")
            return cls(secret)
        return cls(_key_file(_config_folder() / "key"))


def _uniform(secret: str | bytes) -> bool:
    """Whether it repeats a few characters: even a random number of 16 digits hardly ever does."""
    return len(set(secret) - set(" \t\r\n" if isinstance(secret, str) else b" \t\r\n")) < _DIFFERENT


def _config_folder() -> Path:
    if sys.platform == "win32":
        root = os.environ.get("APPDATA", str(Path.home() / "AppData" / "Roaming"))
    elif sys.platform == "darwin":
        root = str(Path.home() / "Library" / "Application Support")
    else:
        root = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(root) / "sfumato"


def _key_file(path: Path) -> bytes:
    """Read the key, or make it: written whole under another name first, so that two runs agree on one key."""
    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            _make_key(path)
        if os.name == "posix" and path.stat().st_mode & 0o077:
            raise InputError(f"the key file {path} can be read by others; make it yours alone: chmod 600")
        key = path.read_bytes().strip()
    except OSError as error:
        raise InputError(f"the key file cannot be used ({error.strerror}); set SFUMATO_KEY instead") from None
    if len(key) < 16:
        raise InputError("the key file is damaged; restore it, or remove it to start with a new key")
    if _uniform(key):
        raise InputError(f"the key in the key file is no secret: {_TOO_UNIFORM}; or remove the file to get a new key")
    return key


def _make_key(path: Path) -> None:
    """A new key under its name, unless another run was faster; nothing else stays, whatever happens."""
    draft = path.with_name(f".key-{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(secrets.token_hex(32).encode())
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        except OSError:  # a file system without hard links
            draft.rename(path)
    finally:
        draft.unlink(missing_ok=True)


@dataclass(frozen=True)
class Randomness:
    """A stream of random numbers per purpose; streams of different purposes are independent."""

    seed: bytes

    def __repr__(self) -> str:
        return "Randomness(...)"

    @classmethod
    def keyed(cls, key: Key, input_digest: str, policy_digest: str) -> Randomness:
        """The randomness of a release."""
        message = f"{input_digest}\0{policy_digest}".encode()
        return cls(hmac.new(key.secret, message, hashlib.sha256).digest())

    @classmethod
    def fixed(cls, seed: int) -> Randomness:
        """For tests and papers only: anybody can replay it."""
        return cls(hashlib.sha256(f"sfumato fixed seed {seed}".encode()).digest())

    def bound_to(self, content: bytes) -> Randomness:
        """Other randomness for other content.

        Two releases of one table that differ in anything must not share the order of their rows: laid side by side
        they would tell more than either.
        """
        return Randomness(hmac.new(self.seed, content, hashlib.sha256).digest())

    def numbers(self, count: int, purpose: str) -> NDArray[np.uint64]:
        """Uniform 64-bit numbers."""
        stream = hashlib.shake_256(self.seed + purpose.encode()).digest(8 * count)
        return np.frombuffer(stream, dtype="<u8").astype(np.uint64)

    def shuffle(self, count: int, purpose: str) -> NDArray[np.int64]:
        """A permutation of ``0..count-1``: from the last place down, each changes with one at or before it."""
        numbers = self.numbers(count, purpose)
        if count > _FEW:
            from sfumato.kernels.chance import permuted

            order: NDArray[np.int64] = permuted(numbers)
            return order
        made = list(range(count))
        for place in range(count - 1, 0, -1):
            other = int(numbers[place]) % (place + 1)
            made[place], made[other] = made[other], made[place]
        return np.array(made, dtype=np.int64)

    def names(self, count: int, purpose: str) -> list[str]:
        """Different random names of 32 hexadecimal digits."""
        digits = hashlib.shake_256(self.seed + purpose.encode()).digest(16 * count).hex()
        made = [digits[at : at + 32] for at in range(0, len(digits), 32)]
        if len(set(made)) != count:  # 128 bits: never seen, and never accepted
            raise InputError("two pseudonyms are equal; change the key")
        return made
