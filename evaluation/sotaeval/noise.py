"""Random numbers that belong to a row and a step, not to a batch.

A search that drops finished rows must not change the noise of the rows that stay, and a row must get the same result
alone, in a batch of ten or in a batch of a thousand. Hence no generator with a state: every number is a hash of
(seed, stream, row id, step, position). The hash is the finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014:
recalled, constants as in common use); normals come from it by the Box-Muller transform. The numbers are the same on
every device, up to the rounding of log, cos and sin.
"""

from dataclasses import dataclass, replace
from math import pi

import torch
from torch import Tensor

_GAMMA = 0x9E3779B97F4A7C15
_FIRST = 0xBF58476D1CE4E5B9
_SECOND = 0x94D049BB133111EB


@dataclass(frozen=True)
class RowNoise:
    """The noise of some rows at some steps of a search.

    `rows` (B,) are row ids, which never change; `steps` (B,) counts each row's own steps. `seed` and `stream` tell
    searches, evaluations and layers apart: equal seeds with different streams share no number.
    """

    seed: int
    rows: Tensor
    steps: Tensor
    stream: int = 0

    @classmethod
    def at(cls, seed: int, rows: Tensor, step: int = 0) -> "RowNoise":
        """The noise of all given rows at one step."""
        return cls(seed, rows, torch.full_like(rows, step))

    def layer(self, stream: int) -> "RowNoise":
        """The same rows and steps with numbers of their own for one layer or purpose."""
        return replace(self, stream=self.stream * 64 + stream + 1)

    def bits(self, count: int) -> Tensor:
        """(B, count) uniform bytes, uint8."""
        words = self._words((count + 7) // 8)
        return words.view(torch.uint8)[:, :count]

    def normal(self, count: int) -> Tensor:
        """(B, count) independent standard normal numbers, float32.

        Four numbers come from one word, so radius and angle have 16 bits each: the largest number is 4.84, and the
        first four moments are right to three digits. That is enough for search noise, not for studies of tails.
        """
        quarters = (count + 3) // 4
        uniform = self._words(quarters).view(torch.int16).to(torch.float32)
        radius = uniform[:, : 2 * quarters].add(2.0**15 + 0.5).mul_(2.0**-16).log_().mul_(-2).sqrt_()
        angle = uniform[:, 2 * quarters :].mul_(pi * 2.0**-15)
        return torch.cat((angle.cos().mul_(radius), angle.sin_().mul_(radius)), dim=1)[:, :count]

    def _words(self, count: int) -> Tensor:
        """(B, count) uniform 64-bit words."""
        key = self._key()
        counter = torch.arange(count, device=key.device, dtype=torch.int64).mul_(_signed(_GAMMA))
        return _mix(key[:, None] + counter[None, :])

    def _key(self) -> Tensor:
        """(B,) one word for seed, stream, row and step."""
        start = _signed(self.seed * _GAMMA + self.stream * _FIRST + _SECOND)
        key = _mix(torch.full_like(self.rows, start))
        for part in (self.rows, self.steps):
            key = _mix(key + (part + 1) * _signed(_GAMMA))
        return key


def _mix(words: Tensor) -> Tensor:
    """The finaliser, in place, on int64 words taken as unsigned."""
    words.bitwise_xor_((words >> 30).bitwise_and_((1 << 34) - 1)).mul_(_signed(_FIRST))
    words.bitwise_xor_((words >> 27).bitwise_and_((1 << 37) - 1)).mul_(_signed(_SECOND))
    return words.bitwise_xor_((words >> 31).bitwise_and_((1 << 33) - 1))


def _signed(word: int) -> int:
    """A 64-bit word as the signed integer with the same bits."""
    word &= (1 << 64) - 1
    return word - (1 << 64) if word >= 1 << 63 else word
