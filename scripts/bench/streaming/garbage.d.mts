import type { Miniflare } from 'miniflare'

export function collectGarbage(server: Miniflare, touch: () => Promise<unknown>): Promise<void>
