/** Major, minor and patch number of a release. */
export type Version = readonly [number, number, number]

/** Reads `1.2.3` or `v1.2.3`; null for anything else, previews included. */
export function parseVersion(text: string): Version | null {
  const [, major, minor, patch] = /^v?(\d{1,5})\.(\d{1,5})\.(\d{1,5})$/.exec(text) ?? []
  return major === undefined ? null : [Number(major), Number(minor), Number(patch)]
}

/** Positive where `one` is later than `other`. */
export function compareVersions(one: Version, other: Version): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2]
}

/** Whether `one` has a later major or minor number than `other`. */
export function newerMinor(one: Version, other: Version): boolean {
  return one[0] > other[0] || (one[0] === other[0] && one[1] > other[1])
}
