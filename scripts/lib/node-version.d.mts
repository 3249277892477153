export function problemOfNode(about: {
  readonly version: string
  readonly platform: string
  readonly arch: string
}): string | null
