export function update(options: {
  readonly folder: string
  readonly from?: string
  readonly to?: string
  readonly take?: readonly string[]
  readonly isDryRun?: boolean
  readonly now?: Date
}): {
  readonly from: string
  readonly tag: string
  readonly commit: string
  readonly files: readonly string[]
  readonly workflows: readonly string[]
  readonly mark: string
} | null
export function goBack(options: { readonly folder: string }): {
  readonly from: string
  readonly to: string
  readonly mark: string | null
}
