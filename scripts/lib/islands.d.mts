export interface BuiltScript {
  readonly name: string
  /** Whether pages name it; others are parts. */
  readonly isEntry: boolean
  readonly text: string
  readonly parts: readonly string[]
  readonly later: readonly string[]
}

export function buildIslands(folder?: string): Promise<readonly BuiltScript[]>

/** The service worker as public/sw.js serves it. */
export function buildServiceWorker(): Promise<string>
