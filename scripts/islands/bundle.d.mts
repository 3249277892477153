export interface BundledScript {
  readonly name: string
  readonly text: string
}

export function bundleIslands(): Promise<readonly BundledScript[]>
