export function repositoryAddress(manifest: {
  readonly repository?: string | { readonly url?: string | undefined }
}): string | null
