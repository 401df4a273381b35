# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A rendered picture that looks like a photograph: balls on a table, outdoors.

Rays are traced with one sun, whose shadows are soft, the light of a cloudy sky,
and mirrors. Vectors are arrays of shape (3, number of rays): x to the right, y up,
z away from the camera.
"""

import numpy as np

WIDTH, HEIGHT = 768, 464
SUN = np.array([[-0.62], [0.60], [-0.51]], np.float32)
CAMERA = np.array([[0], [1.25], [-5.2]], np.float32)
HORIZON, FOCAL_LENGTH = 0.32, 1.75  # in heights of the picture
# Middle, radius, gray of the surface, share that a mirror adds.
BALLS = (((0.25, 0.8, 0.6), 0.8, 0.10, 0.75),
         ((-1.45, 0.62, 0.2), 0.62, 0.50, 0.04),
         ((1.62, 0.55, -0.1), 0.55, 0.16, 0.05),
         ((-0.62, 0.33, -1.15), 0.33, 0.02, 0.06),
         ((0.78, 0.26, -1.35), 0.26, 0.66, 0.03))
BALLS = tuple((np.array(middle, np.float32)[:, None], *rest)
              for middle, *rest in BALLS)
TABLE, SKY = len(BALLS), -1
RANDOM = np.random.default_rng(7).random((64, 64), np.float32)


def dot(a, b):
    return np.einsum("ij,ij->j", a, np.broadcast_to(b, a.shape))


def unit(a):
    return a / np.sqrt((a * a).sum(0))


def noise(x, y, octaves):
    """Sums of random values, smooth in between: 0 … 1."""
    total = 0
    for octave in range(octaves):
        i, j = np.floor(x).astype(int), np.floor(y).astype(int)
        u, v = x - i, y - j
        u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
        i, j, i1, j1 = i % 64, j % 64, (i + 1) % 64, (j + 1) % 64
        upper = RANDOM[j, i] * (1 - u) + RANDOM[j, i1] * u
        lower = RANDOM[j1, i] * (1 - u) + RANDOM[j1, i1] * u
        total = total + (upper * (1 - v) + lower * v) / 2 ** (octave + 1)
        x, y = 2 * x + 17, 2 * y + 5
    return total


def sky(rays):
    """Clouds in a layer above, hazy at the horizon."""
    up = np.maximum(rays[1], 0.02)
    far = 1 / (up + 0.12)
    clouds = np.clip(3.2 * noise(0.9 * rays[0] * far + 3, 0.9 * rays[2] * far, 6)
                     - 1.35, 0, 1)
    blue = 0.36 - 0.28 * np.minimum(1, up) ** 0.6
    return blue + (0.9 - blue) * clouds * np.clip(4 * up, 0.3, 1)


def wood(points):
    """Planks that run to the right, each with its own grain."""
    plank = np.floor(points[2] / 0.62)
    across = points[2] / 0.62 - plank
    grain = noise(0.7 * points[0] + 13 * plank, 14 * points[2] + 5 * plank, 4)
    rings = 0.5 + 0.5 * np.sin(26 * noise(0.35 * points[0] + 7 * plank,
                                          2.2 * points[2], 2))
    seam = np.clip(np.minimum(across, 1 - across) / 0.02, 0.25, 1)
    return (0.04 + 0.24 * grain + 0.05 * rings +
            0.04 * np.sin(5 * plank)) * seam


def sunlight(points):
    """What balls leave of the sun: its edge is soft, the more so far behind."""
    light = np.ones(points.shape[1], np.float32)
    for middle, radius, _, _ in BALLS:
        away = middle - points
        along = dot(away, SUN)
        beside = np.sqrt(np.maximum(dot(away, away) - along ** 2, 0)) - radius
        shadow = np.clip(0.5 + beside / (0.14 * np.maximum(along, 0.02)), 0, 1)
        light *= np.where(along > 0, shadow * shadow * (3 - 2 * shadow), 1)
    return light


def skylight(points, normals):
    """What balls leave of the sky."""
    light = 0.62 + 0.38 * normals[1]
    for middle, radius, _, _ in BALLS:
        away = middle - points
        distance = np.maximum(np.sqrt(dot(away, away)), radius * 1.001)
        facing = dot(normals, away) / distance
        light = light * (1 - np.clip(facing, 0, 1) * (radius / distance) ** 2)
    return light


def first_hit(origins, rays):
    """The distance, and which ball, or TABLE or SKY."""
    with np.errstate(divide="ignore", invalid="ignore"):
        nearest = np.where(rays[1] < 0, -origins[1] / rays[1], np.inf)
    which = np.where(rays[1] < 0, TABLE, SKY)
    for number, (middle, radius, _, _) in enumerate(BALLS):
        away = origins - middle
        b = dot(away, rays)
        under = b * b - dot(away, away) + radius * radius
        at = -b - np.sqrt(np.maximum(under, 0))
        hit = (under > 0) & (at > 1e-3) & (at < nearest)
        nearest, which = np.where(hit, at, nearest), np.where(hit, number, which)
    return nearest, which


def light_of(origins, rays, mirrors):
    """The light that comes along rays, with so many mirrors behind another."""
    distance, which = first_hit(origins, rays)
    light = np.empty_like(distance)
    light[which == SKY] = sky(rays[:, which == SKY])
    for number in range(TABLE + 1):
        at = which == number
        points = origins[:, at] + rays[:, at] * distance[at]
        if number == TABLE:
            haze = 1 - np.exp(-distance[at] / 30)
            light[at] = light_of_table(points) * (1 - haze) + 0.3 * haze
        else:
            light[at] = light_of_ball(number, points, rays[:, at], mirrors)
    return light


def scattered(gray, points, normals):
    sun = sunlight(points) * np.maximum(dot(normals, SUN), 0)
    return gray * (1.25 * sun + 0.18 * skylight(points, normals))


def light_of_table(points):
    normals = np.zeros_like(points)
    normals[1] = 1
    return scattered(wood(points), points, normals)


def light_of_ball(number, points, rays, mirrors):
    middle, radius, gray, mirror = BALLS[number]
    normals = (points - middle) / radius
    light = scattered(gray, points, normals)
    if not mirrors:
        return light
    facing = -dot(normals, rays)
    mirror = mirror + (1 - mirror) * np.clip(1 - facing, 0, 1) ** 5
    turned = rays + 2 * facing * normals
    seen = light_of(points + 1e-3 * normals, turned, mirrors - 1)
    shine = np.clip(dot(turned, SUN), 0, 1) ** 350 * sunlight(points)
    return light + mirror * seen + 2.5 * shine


def picture():
    """Gray as on a screen, 0 … 255, HEIGHT rows of WIDTH; each pixel of 2 x 2
    rays."""
    x = (np.arange(2 * WIDTH) + 0.5 - WIDTH) / (2 * HEIGHT)
    y = HORIZON - (np.arange(2 * HEIGHT) + 0.5) / (2 * HEIGHT)
    across, down = np.meshgrid(x, y)
    rays = unit(np.stack([across.ravel(), down.ravel(),
                          np.full(across.size, FOCAL_LENGTH)]).astype(np.float32))
    light = light_of(np.broadcast_to(CAMERA, rays.shape), rays, 2)
    light = light.reshape(HEIGHT, 2, WIDTH, 2).mean((1, 3))
    light = 1.7 * light ** 1.2 / (1 + 0.6 * light)  # as film: darker shadows
    return (255 * np.clip(light, 0, 1) ** (1 / 2.2) + 0.5).astype(np.uint8)
