/** Returns the PNG of a picture; birds have a `size`, other pictures a width and a height. */
type Draw = (order: { readonly size?: number; readonly width?: number; readonly height?: number }) => Buffer

export function fillDemo(
  server: {
    readonly origin: string
    readonly secrets: { readonly SETUP_TOKEN: string }
  },
  options?: {
    readonly folder?: string
    readonly pages?: { readonly allowed: string; readonly waiting: string }
    readonly draw?: Readonly<Record<'songbird' | 'landscape' | 'flowers' | 'loaf', Draw>>
  },
): Promise<void>
