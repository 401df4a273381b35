# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The second pass of best with print feedback, once more."""

from spread import table

WHITE = 4080
KERNELS = table("paper_kernels")
LIGHT = table("paper_light")[0]
AIM = [number for row in table("paper_aim") for number in row]
STEPS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))


class Print:
    """Errors of windows, by their last pixel, and sums of what is seen of them."""

    def __init__(self, rows, dots, pure, strength):
        self.dots = dots
        self.strength = strength
        self.height, self.width = len(rows), len(rows[0])
        self.tones = [[(v + 8) // 16 for v in row] for row in rows]
        self.gray = [[not pure or v not in (0, WHITE) for v in row] for row in rows]

    def scaled(self, of_bits, of_print):
        return of_bits + ((of_print - of_bits) * self.strength + 128) // 256

    def window(self, i, j):
        """Tones and bits of its own pixel, and those left, above and across."""
        for k, m in ((i, j), (i, j - 1), (i - 1, j), (i - 1, j - 1)):
            if 0 <= k < self.height and 0 <= m < self.width:
                yield self.tones[k][m], self.dots[k][m]
            else:
                yield 0, 0

    def light(self, i, j):
        tones, (own, left, above, across) = zip(*self.window(i, j))
        count = own + left + above + across
        if max(tones) - min(tones) > 64:
            return 255 * count
        one, diagonal, beside, three = LIGHT
        two = diagonal if own == across else beside
        return self.scaled(255 * count, (0, one, two, three, 1020)[count])

    def error(self, i, j):
        tones, _ = zip(*self.window(i, j))
        if max(tones) - min(tones) > 64:
            aim = 4 * sum(tones)
        else:
            aim = sum(self.scaled(4 * tone, AIM[tone]) for tone in tones)
        return self.light(i, j) - (aim + 2) // 4

    def sweep(self, shift, kernel):
        self.kernel = kernel
        self.errors = {(i, j): self.error(i, j) for i in range(self.height + 1)
                       for j in range(self.width + 1)}
        for down in (0, 8):
            for right in (0, 8):
                for top in range(shift + down - 16, self.height, 16):
                    for left in range(shift + right - 16, self.width, 16):
                        self.block(top, left)

    def weight(self, rows, columns):
        rows, columns = abs(rows), abs(columns)
        return self.kernel[rows][columns] if max(rows, columns) < 8 else 0

    def block(self, top, left):
        here = [(i, j) for i in range(max(top, 0), min(top + 8, self.height))
                for j in range(max(left, 0), min(left + 8, self.width))
                if self.gray[i][j]]
        if not here:
            return
        near = [(i, j, e) for i in range(top - 7, top + 16)
                for j in range(left - 7, left + 16)
                if (e := self.errors.get((i, j)))]
        self.seen = {(k, m): sum(e * self.weight(k - i, m - j) for i, j, e in near)
                     for k in range(top, top + 9) for m in range(left, left + 9)}
        inside = set(here)
        for _ in range(2):
            for pixel in here:
                self.pixel(pixel, inside)

    def swapped(self, a, b):
        for i, j in (a, b):
            self.dots[i][j] = 1 - self.dots[i][j]

    def changes(self, a, b):
        """The changes of the errors of windows, if two pixels are swapped."""
        windows = {(i + k, j + m) for i, j in (a, b) for k in (0, 1) for m in (0, 1)}
        before = {at: self.light(*at) for at in windows}
        self.swapped(a, b)
        after = {at: self.light(*at) - before[at] for at in windows}
        self.swapped(a, b)
        return after

    def cost(self, changes):
        linear = sum(2 * d * (self.seen[at] // 256) for at, d in changes.items())
        square = sum(d * f * self.weight(at[0] - to[0], at[1] - to[1])
                     for at, d in changes.items() for to, f in changes.items())
        return linear + square // 256

    def pixel(self, a, inside):
        found = []
        for order, (down, right) in enumerate(STEPS):
            b = a[0] + down, a[1] + right
            if b in inside and self.dots[a[0]][a[1]] != self.dots[b[0]][b[1]]:
                found.append((self.cost(self.changes(a, b)), order, b))
        if not found or min(found)[0] >= 0:
            return
        b = min(found)[2]
        for (i, j), d in self.changes(a, b).items():
            self.errors[i, j] += d
            for k, m in self.seen:
                self.seen[k, m] += d * self.weight(k - i, m - j)
        self.swapped(a, b)


def best_on_paper(rows, dots, pure, strength):
    """dots: the bits of the first pass."""
    page = Print(rows, dots, pure, strength)
    for shift, kernel in ((4, KERNELS[:8]), (0, KERNELS[8:])):
        page.sweep(shift, kernel)
    return page.dots
