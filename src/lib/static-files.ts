/** The files of `public`, by an address of any host. */
export interface StaticFiles {
  readonly fetch: (address: string) => Promise<Response>
}
