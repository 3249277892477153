export class Problem extends Error {}
export function problemOf(failure: unknown): Problem | null
export function fail(failure: unknown): never
