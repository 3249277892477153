export function fillDemo(server: {
  readonly origin: string
  readonly secrets: { readonly SETUP_TOKEN: string }
}): Promise<void>
