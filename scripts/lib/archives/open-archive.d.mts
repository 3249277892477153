export interface Archive {
  readonly names: ReadonlySet<string>
  read(name: string): Promise<Buffer>
  close(): void
}

/** Bounds of what a tar file unpacks to. */
export interface UnpackedBounds {
  readonly factor: number
  readonly base: number
  readonly files: number
  readonly free: number
}

export function openArchive(
  path: string,
  options?: { readonly bounds?: UnpackedBounds; readonly signal?: AbortSignal | null },
): Promise<Archive>
