// Order matters: almost every browser also claims to be one of those below it.
const browsers: readonly (readonly [RegExp, string])[] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/Vivaldi\//, 'Vivaldi'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\/|Chromium\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/curl\//, 'curl'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/Android/, 'Android'],
  [/iPhone|iPod/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux|X11/, 'Linux'],
]

/** Describes a User-Agent header for people: `Firefox on Linux`. */
export function describeBrowser(userAgent: string): string {
  const match = (list: typeof browsers) => list.find(([pattern]) => pattern.test(userAgent))?.[1]
  const [browser, system] = [match(browsers), match(systems)]
  if (browser === undefined) return system === undefined ? 'Unknown browser' : `Unknown browser on ${system}`
  return system === undefined ? browser : `${browser} on ${system}`
}
