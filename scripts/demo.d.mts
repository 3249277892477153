export function fillDemo(
  server: {
    readonly origin: string
    readonly secrets: { readonly SETUP_TOKEN: string }
  },
  options?: { readonly pages?: { readonly allowed: string; readonly waiting: string } },
): Promise<void>
