/** Link that proves a website to be that of a profile. */
export function relMeLink({ url, text }: { readonly url: string; readonly text: string }): string {
  return `<a rel="me" href="${url}">${text}</a>`
}

/** Tag of an article that names its author. */
export function creatorTag(handle: string): string {
  return `<meta name="fediverse:creator" content="${handle}">`
}
