/** Options of `expect.poll`, `vi.waitFor` and `vi.waitUntil`: the limit is long enough to end only what hangs. */
export const hangLimit = { timeout: 60_000, interval: 5 } as const
