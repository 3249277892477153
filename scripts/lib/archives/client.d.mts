export function clientOf(
  origin: string,
  token: string,
  options?: {
    readonly timeout?: number
    readonly wait?: (milliseconds: number) => Promise<unknown>
    readonly signal?: AbortSignal | null
  },
): { call(method: string, path: string, body?: unknown): Promise<unknown> }
