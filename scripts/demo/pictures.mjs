// Pictures made by arithmetic, so that the demonstration needs no files: landscapes, birds, bread, flowers.
import { png } from './png.mjs'
import { below, chance, circle, colour, ellipse, mix, paint, ridge, triangle } from './shapes.mjs'

/** A landscape of the colours given: sky from `high` to `low`, a sun, three ranges of hills, a few birds. */
export function landscape({ width, height, high, low, sun, ground, seed, birds = 4 }) {
  const [top, horizon, disc, earth] = [high, low, sun, ground].map(colour)
  const place = [0.2 + 0.6 * chance(seed, 1), 0.28 + 0.2 * chance(seed, 2)]
  const flock = Array.from({ length: birds }, (_, index) => flier(seed, index))
  const ratio = width / height
  const ranges = [0.62, 0.35, 0.1].map((distance, index) => ({
    line: ridge(width, height, {
      level: 0.62 + 0.13 * index,
      rough: 0.07 - 0.01 * index,
      seed: seed + index * 5,
    }),
    far: mix(earth, horizon, distance),
  }))
  return png(width, height, (px, py) => {
    const [x, y] = [px / height, py / height]
    let here = mix(top, horizon, (y / 0.75) ** 1.3)
    const glow = Math.hypot(x - place[0] * ratio, y - place[1])
    here = mix(here, disc, 0.5 * Math.exp(-glow * 5))
    here = paint(here, disc, circle(x, y, { at: [place[0] * ratio, place[1]], radius: 0.07 }))
    for (const { line, far } of ranges) here = paint(here, far, below(y, line[px]))
    for (const bird of flock) here = paint(here, [40, 42, 54], wings(x / ratio, y, bird))
    return here
  })
}

function flier(seed, index) {
  return {
    at: [0.15 + 0.7 * chance(seed, index + 10), 0.12 + 0.3 * chance(seed, index + 20)],
    size: 0.02 + 0.02 * chance(seed, index + 30),
  }
}

/** Two arcs meeting in the middle: a bird far away. */
function wings(x, y, { at, size }) {
  const dx = Math.abs(x - at[0]) / size
  if (dx > 1.2 || Math.abs(y - at[1]) > size) return 0
  const arc = at[1] - size * 0.7 * Math.sin(Math.min(1, dx) * Math.PI * 0.75)
  const thick = size * 0.13 * (1.1 - dx)
  return Math.min(1, Math.max(0, (thick - Math.abs(y - arc)) / 0.0035 + 0.5))
}

/** A songbird on a twig, from the side. `breast` may be spotted. */
export function songbird({ size, back, breast, ground, spots = false, seed = 1 }) {
  const [wing, belly, sky] = [back, breast, ground].map(colour)
  const dark = mix(wing, [20, 20, 26], 0.55)
  return png(size, size, (px, py) => {
    const [x, y] = [px / size, py / size]
    let here = mix(sky, mix(sky, [255, 255, 255], 0.55), 1 - Math.hypot(x - 0.35, y - 0.3) * 1.1)
    here = paint(here, [92, 70, 54], ellipse(x, y, { at: [0.5, 0.83], radii: [0.62, 0.018], turn: -0.05 }))
    here = paint(
      here,
      dark,
      triangle(x, y, {
        corners: [
          [0.22, 0.62],
          [0.06, 0.92],
          [0.2, 0.9],
        ],
      }),
    )
    for (const leg of [0.47, 0.55])
      here = paint(here, [70, 54, 44], ellipse(x, y, { at: [leg, 0.78], radii: [0.008, 0.06] }))
    here = paint(here, belly, ellipse(x, y, { at: [0.47, 0.56], radii: [0.3, 0.2], turn: -0.5 }))
    if (spots) here = paint(here, dark, speckles(x, y, seed) * 0.7)
    here = paint(here, wing, ellipse(x, y, { at: [0.38, 0.56], radii: [0.26, 0.12], turn: -0.62 }))
    here = paint(here, dark, ellipse(x, y, { at: [0.31, 0.64], radii: [0.17, 0.05], turn: -0.7 }))
    here = paint(
      here,
      [226, 160, 60],
      triangle(x, y, {
        corners: [
          [0.78, 0.28],
          [0.93, 0.33],
          [0.78, 0.36],
        ],
      }),
    )
    here = paint(here, wing, circle(x, y, { at: [0.68, 0.31], radius: 0.14 }))
    here = paint(here, [250, 250, 245], circle(x, y, { at: [0.72, 0.28], radius: 0.034 }))
    return paint(here, [24, 22, 28], circle(x, y, { at: [0.725, 0.28], radius: 0.022 }))
  })
}

/** Spots on the lower breast. */
function speckles(x, y, seed) {
  const [column, row] = [Math.floor(x * 18), Math.floor(y * 18)]
  if (ellipse(x, y, { at: [0.54, 0.56], radii: [0.17, 0.15] }) < 0.9) return 0
  const middle = [(column + 0.3 + 0.4 * chance(column, row + seed)) / 18, (row + 0.5) / 18]
  return circle(x, y, { at: middle, radius: 0.011 })
}

/** A loaf on a board, scored `cuts` times. */
export function loaf({ width, height, crust, board, seed, cuts = 3 }) {
  const [brown, wood] = [crust, board].map(colour)
  const ratio = width / height
  const flour = [250, 240, 222]
  return png(width, height, (px, py) => {
    const [x, y] = [px / height - ratio / 2, py / height]
    let here = mix(colour('#dfe4e2'), colour('#b9c4c4'), y)
    const grain = 0.5 + 0.5 * Math.sin(y * 90 + 3 * Math.sin(x * 2 + seed))
    here = paint(here, mix(wood, [60, 40, 26], 0.18 * grain), Math.min(1, Math.max(0, (y - 0.66) * 200)))
    here = paint(here, [40, 30, 24], 0.35 * ellipse(x, y, { at: [0, 0.78], radii: [0.56, 0.06], blur: 0.06 }))
    const body = ellipse(x, y, { at: [0, 0.56], radii: [0.52, 0.24] })
    const light = 1 - Math.hypot(x + 0.15, y - 0.42) * 1.1
    here = paint(here, mix(mix(brown, [50, 26, 12], 0.5), brown, light + 0.35), body)
    for (let cut = 0; cut < cuts; cut += 1) {
      const at = [(cut - (cuts - 1) / 2) * (0.7 / cuts), 0.46]
      const slash = ellipse(x, y, { at, radii: [0.14, 0.022], turn: 1.0 })
      here = paint(here, mix(brown, flour, 0.75), slash * body)
    }
    return here
  })
}

/** Flowers in a bed, near ones larger. */
export function flowers({ width, height, petals, leaves, seed }) {
  const colours = petals.map(colour)
  const green = colour(leaves)
  const ratio = width / height
  const bed = Array.from({ length: 26 }, (_, index) => {
    const near = index / 26
    return {
      at: [ratio * chance(seed, index), 0.3 + 0.55 * near + 0.06 * chance(seed + 1, index)],
      radius: 0.025 + 0.05 * near,
      tint: colours[index % colours.length],
      turn: 6 * chance(seed + 2, index),
    }
  })
  return png(width, height, (px, py) => {
    const [x, y] = [px / height, py / height]
    const blades = 0.5 + 0.5 * Math.sin(x * 60 + 4 * Math.sin(y * 14 + seed))
    let here = mix(colour('#cfe3ee'), colour('#eef3e2'), y * 2.4)
    here = paint(
      here,
      mix(green, [22, 52, 30], 0.35 * blades + 0.3 * y),
      Math.min(1, Math.max(0, (y - 0.26) * 14)),
    )
    for (const { at, radius, tint, turn } of bed) {
      if (Math.abs(x - at[0]) > radius || Math.abs(y - at[1]) > radius) continue
      const distance = Math.hypot(x - at[0], y - at[1])
      const angle = Math.atan2(y - at[1], x - at[0])
      const edge = radius * (0.72 + 0.28 * Math.cos(5 * angle + turn))
      here = paint(
        here,
        mix(tint, [255, 255, 255], 0.25 * (1 - distance / radius)),
        (edge - distance) / 0.004 + 0.5,
      )
      here = paint(here, [244, 200, 74], circle(x, y, { at, radius: radius * 0.24 }))
    }
    return here
  })
}
