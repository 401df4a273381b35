#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What text-edges does to soft text, and to what it should leave alone.

    bench/tone/soft_text.py [--save FILE.json] [--picture FILE.png]

Pages are made at 600 dpi: text that is smoothed, enlarged, scanned and saved
as JPEG; then gray text, hair, filaments, thin gray lines, newspaper screens, text on
photographs, and photographs. They are halftoned with `fine`, black point 32 and no dot
gain. For text: specks, groups of one or two dots of a color that the same text without
gray has not, for 1,000 dots of edge; and fringed, the percentage of the edge's black
dots that have a wrong dot beside them. For the others: the percentage of dots that are
not those of text-edges=crisp, and the PSNR (dB) to the gray after a Gaussian of 2 dots.
The picture has some of them, before and after, each dot as 3 x 3 screen pixels.

Needs the target halftone, and the Debian packages python3-numpy, python3-scipy,
python3-pil, fonts-liberation and mate-backgrounds.
"""

import io
import pathlib
import sys
import tempfile

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from scipy import ndimage

BENCH = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(BENCH), str(BENCH / "peers")]
import pages  # noqa: E402
import record  # noqa: E402

FONT = "/usr/share/fonts/truetype/liberation/LiberationSerif-Regular.ttf"
NATURE = "/usr/share/backgrounds/mate/nature/%s.jpg"
LINES = ["The quick brown fox jumps over", "the lazy dog, and 0123456789",
         "fine print: hair & filaments (%)", "Sphinx of black quartz, judge"]
WIDTH, HEIGHT = 1024, 700
EDGES = ("off", "crisp", "soft", "barcode")
INPUT = "input"
BLACK_POINT = 32
MIDDLE = 127


def text(scale=1.0, fill=0, size=42, smooth=True):
    """Lines of text on white, at a part of the resolution."""
    image = Image.new("L", (round(WIDTH * scale), round(HEIGHT * scale)), 255)
    draw = ImageDraw.Draw(image)
    draw.fontmode = "L" if smooth else "1"
    font = ImageFont.truetype(FONT, round(size * scale))
    step = size * scale * 1.25
    for at in range(int((HEIGHT * scale - size * scale) / step)):
        draw.text((6 * scale, 4 * scale + at * step), LINES[at % len(LINES)],
                  fill=fill, font=font)
    return image


def enlarged(image, how):
    return image.resize((WIDTH, HEIGHT), how)


def jpeg(image, quality):
    file = io.BytesIO()
    image.save(file, "JPEG", quality=quality)
    return Image.open(file).convert("L")


def scanned(random, soft, clipped):
    """Gray and noisy, maybe with its black and its paper clipped."""
    light = ndimage.gaussian_filter(np.asarray(text(3)).astype(float), 3 * soft)
    light = light.reshape(HEIGHT, 3, WIDTH, 3).mean((1, 3))
    light = 30 + light * 205 / 255 + random.normal(0, 4, light.shape)
    return (light - 55) * 255 / 160 if clipped else light


def photo(name):
    image = Image.open(NATURE % name).convert("L")
    left, top = (image.width - WIDTH) // 2, (image.height - HEIGHT) // 2
    return image.crop((left, top, left + WIDTH, top + HEIGHT))


def newspaper(random, name, clipped):
    """A scan of a screen of 85 lines per inch."""
    gray = np.kron(np.asarray(photo(name)) / 255, np.ones((3, 3)))
    y, x = np.mgrid[0:3 * HEIGHT, 0:3 * WIDTH] / 3
    pitch = np.pi * np.sqrt(2) / 7.06
    screen = np.cos(pitch * (x + y)) + np.cos(pitch * (x - y))
    steps = np.sort(screen[::7, ::7].ravel())
    dots = gray > np.searchsorted(steps, screen) / steps.size
    light = ndimage.gaussian_filter(dots.astype(float), 3)
    light = light.reshape(HEIGHT, 3, WIDTH, 3).mean((1, 3))
    light = 40 + light * 185 + random.normal(0, 3, light.shape)
    return (light - 55) * 255 / 160 if clipped else light


def curves(random, ground, light, width):
    """Thin smoothed curves."""
    image = Image.new("L", (4 * WIDTH, 4 * HEIGHT), ground)
    draw = ImageDraw.Draw(image)
    for _ in range(260):
        x, y = random.uniform(0, 4 * WIDTH), random.uniform(0, 4 * HEIGHT)
        angle, points = random.uniform(0, 6.28), []
        for _ in range(60):
            points.append((x, y))
            angle += random.normal(0, 0.12)
            x, y = x + 20 * np.cos(angle), y + 20 * np.sin(angle)
        draw.line(points, fill=int(np.clip(random.normal(light, 25), 0, 255)),
                  width=int(4 * width))
    return np.asarray(image).reshape(HEIGHT, 4, WIDTH, 4).mean((1, 3))


def gray_lines():
    """On white, and in black."""
    page = np.full((HEIGHT, WIDTH), 255, np.uint8)
    for k in range(40):
        page[10 + 16 * k:11 + 16 * k + k % 2, 20:480] = 40 + 5 * k
        page[20:680, 500 + 12 * k:501 + 12 * k + k % 2] = 40 + 5 * k
    page[300:400, 100:400] = 0
    for k in range(12):
        page[305 + 8 * k:306 + 8 * k + k % 2, 110:390] = 60 + 15 * k
    return page


def on_photo(name):
    image = photo(name)
    draw = ImageDraw.Draw(image)
    font = ImageFont.truetype(FONT, 42)
    for k in range(12):
        draw.text((10, 10 + 54 * k), LINES[k % 4], fill=0 if k % 2 else 255,
                  font=font)
    return image


def texts():
    random = np.random.default_rng(5)
    yield "smoothed", text()
    yield "enlarged twice, bicubic", enlarged(text(0.5), Image.BICUBIC)
    yield "enlarged twice, bilinear", enlarged(text(0.5), Image.BILINEAR)
    yield "enlarged twice, hard, bicubic", enlarged(text(0.5, smooth=False),
                                                    Image.BICUBIC)
    yield "enlarged twice, hard, bilinear", enlarged(text(0.5, smooth=False),
                                                     Image.BILINEAR)
    yield "enlarged three times, bicubic", enlarged(text(1 / 3), Image.BICUBIC)
    yield "scanned, clipped", scanned(random, 1, True)
    yield "scanned softly, clipped", scanned(random, 1.5, True)
    yield "scanned", scanned(random, 1, False)
    yield "JPEG 75", jpeg(text(), 75)
    yield "JPEG 75, enlarged twice", enlarged(jpeg(text(0.5), 75), Image.BICUBIC)


def others():
    random = np.random.default_rng(6)
    yield "gray text, 60", text(fill=60)
    yield "gray text, 110", text(fill=110)
    yield "hair", curves(random, 235, 40, 1)
    yield "thin hair", curves(random, 235, 40, 0.5)
    yield "filaments", curves(random, 25, 225, 1)
    yield "thin gray lines", gray_lines()
    yield "newspaper", newspaper(random, "LadyBird", False)
    yield "newspaper, clipped", newspaper(random, "LadyBird", True)
    yield "newspaper 2, clipped", newspaper(random, "Garden", True)
    yield "text on Garden", on_photo("Garden")
    yield "text on Dune", on_photo("Dune")
    for name in ("LadyBird", "Garden", "TwoWings", "RainDrops", "Wood", "Storm",
                 "Dune"):
        yield name, photo(name)


def halftoned(halftone, gray, edges, folder):
    return pages.by_us(halftone, gray, folder, "--threads", "1", "--halftone-type",
                       "fine", "--text-edges", edges, "--black-point",
                       str(BLACK_POINT))


def flaws(dots, gray):
    """Specks for 1,000 dots of edge, and the percentage of it that is fringed."""
    wanted = (gray > MIDDLE).astype(np.uint8)
    cross = ndimage.generate_binary_structure(2, 1)
    edge = (wanted == 0) & (ndimage.maximum_filter(wanted, footprint=cross) == 1)
    specks = 0
    for colour in (0, 1):
        groups, count = ndimage.label(dots == colour, np.ones((3, 3)))
        is_small = np.bincount(groups.ravel(), minlength=count + 1) <= 2
        is_wrong = np.bincount(groups.ravel(), (wanted != colour).ravel(),
                               count + 1) > 0
        specks += int((is_small & is_wrong)[1:].sum())
    beside = ndimage.maximum_filter((dots != wanted).astype(np.uint8), 3)
    return [round(1000 * specks / edge.sum(), 1),
            round(100 * float(beside[edge].mean()), 1)]


def above_black_point(gray):
    """The light that is to be printed, as in tone.cc."""
    light, black = gray / 255, BLACK_POINT / 255
    t = np.clip((light - black) / (3 * black), 0, None)
    return np.where(light < 4 * black, black * t * (5 - t), light)


def changes(dots, crisp, gray):
    """The percentage that is not as with crisp edges, and the PSNR."""
    light = above_black_point(gray)
    error = ndimage.gaussian_filter(dots - light, 2)
    return [round(100 * float((dots != crisp).mean()), 2),
            round(-10 * float(np.log10(np.mean(error ** 2))), 2)]


PICTURES = {"enlarged twice, bicubic": (4, 10), "scanned, clipped": (4, 10),
            "JPEG 75": (4, 10), "hair": (200, 300),
            "newspaper, clipped": (300, 400), "thin gray lines": (290, 420)}


def picture(panels):
    """Each page as it comes in, and by edges: 110 x 60 pixels."""
    columns = (INPUT, *EDGES)
    sheet = Image.new("L", (len(columns) * 340 - 10, len(PICTURES) * 214), 255)
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.truetype(FONT, 18)
    for row, (name, (top, left)) in enumerate(PICTURES.items()):
        for column, edges in enumerate(columns):
            panel = panels[name, edges][top:top + 60, left:left + 110]
            draw.text((340 * column, 214 * row + 4), f"{name}: {edges}", fill=0,
                      font=font)
            sheet.paste(Image.fromarray(panel).resize((330, 180), Image.NEAREST),
                        (340 * column, 214 * row + 28))
    return sheet


def judged(halftone):
    """Results by group, page and edges; and what the picture shows."""
    results, panels = {"text": {}, "others": {}}, {}
    with tempfile.TemporaryDirectory() as folder:
        for group, made in (("text", texts()), ("others", others())):
            for name, page in made:
                gray = np.clip(np.asarray(page) + 0.5, 0, 255).astype(np.uint8)
                dots = {edges: halftoned(halftone, gray, edges, pathlib.Path(folder))
                        for edges in EDGES}
                results[group][name] = {
                    edges: flaws(dots[edges], gray) if group == "text" else
                    changes(dots[edges], dots["crisp"], gray) for edges in EDGES}
                panels[name, INPUT] = gray
                panels.update({(name, edges): dots[edges] * np.uint8(255)
                               for edges in EDGES})
    return results, panels


def main():
    parser = record.parser(__doc__)
    parser.add_argument("--picture", type=pathlib.Path)
    options = parser.parse_args()
    results, panels = ((record.read(options.show), None) if options.show
                       else judged(options.build / "tools/halftone"))
    for group, names in (("text", "specks, fringed %"), ("others", "changed %, dB")):
        print(record.table([f"{group}: {names}", *EDGES], [
            [name, *("%g, %g" % tuple(row[edges]) for edges in EDGES)]
            for name, row in results[group].items()]) + "\n")
    if options.save:
        record.save(results, options.save)
    if options.picture:
        picture(panels).save(options.picture, optimize=True)


if __name__ == "__main__":
    main()
