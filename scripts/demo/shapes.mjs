// Colours and soft-edged shapes. A shape answers how much of a point it covers, from 0 to 1.

/** `#rrggbb` as [red, green, blue]. */
export function colour(hex) {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
}

export function mix(a, b, share) {
  if (share <= 0) return a
  if (share >= 1) return b
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share]
}

/** Lays `over` on `under` where `cover` says so. */
export const paint = mix

/** Coverage from a distance to an edge: 1 inside (negative), 0 outside, soft over `blur`. */
function soft(distance, blur) {
  return Math.min(1, Math.max(0, 0.5 - distance / blur))
}

export function circle(x, y, { at, radius, blur = 0.004 }) {
  return soft(Math.hypot(x - at[0], y - at[1]) - radius, blur)
}

/** `turn` in radians. */
export function ellipse(x, y, { at, radii, turn = 0, blur = 0.004 }) {
  const [dx, dy] = [x - at[0], y - at[1]]
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  const along = (dx * cos + dy * sin) / radii[0]
  const across = (dy * cos - dx * sin) / radii[1]
  return soft((Math.hypot(along, across) - 1) * Math.min(...radii), blur)
}

export function triangle(x, y, { corners, blur = 0.004 }) {
  const edges = corners.map((from, index) => {
    const to = corners[(index + 1) % corners.length]
    const [ex, ey] = [to[0] - from[0], to[1] - from[1]]
    return ((x - from[0]) * ey - (y - from[1]) * ex) / Math.hypot(ex, ey)
  })
  const inside = Math.max(...edges) < -Math.min(...edges) ? Math.max(...edges) : -Math.min(...edges)
  return soft(inside, blur)
}

/** The height of a line of hills over every column. `level` is the middle, `rough` how far they rise and fall. */
export function ridge(width, height, { level, rough, seed }) {
  return Float64Array.from({ length: width }, (_, column) => {
    const wave = (frequency, shift) => Math.sin((column / height) * frequency + seed * shift)
    return level + rough * (0.6 * wave(3.1, 1.7) + 0.3 * wave(7.3, 2.9) + 0.1 * wave(17.9, 4.3))
  })
}

/** Coverage of a point below a line, blurred at the edge. */
export function below(y, line, blur = 0.004) {
  return soft(line - y, blur)
}

/** A repeatable number from 0 to 1 for a pair of whole numbers. */
export function chance(a, b) {
  const wild = Math.sin(a * 127.1 + b * 311.7) * 43_758.545
  return wild - Math.floor(wild)
}
