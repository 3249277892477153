export const unnamed: string

export function asOnPlatform(
  request: Request,
  server: { readonly origin: string; readonly addresses: 'forwarded' | 'local' | 'given' },
): Request | null

export function lastAddress(forwarded: string): string | null
