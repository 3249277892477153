import { DomUtils, parseDocument } from 'htmlparser2'

/** A page as it was sent. */
interface Document {
  readonly html: string
}

/** Layout of a page: the classes of its body and of the block that holds its content. With them, all classes of the page. */
function readClasses(html: string) {
  const { children } = parseDocument(html)
  const all = (name: string, nodes = children) => DomUtils.getElementsByTagName(name, nodes)
  const blocks = DomUtils.getElementsByTagName('*', all('main')[0]?.children ?? [], false)
  const content = blocks.find(({ name }) => name !== 'h1' && name !== 'nav')
  const layout = [all('body')[0], content].map((element) => element?.attribs['class'] ?? '').join(' > ')
  return { layout, classes: new Set(all('*').flatMap(({ attribs }) => attribs['class']?.split(/\s+/) ?? [])) }
}

/** The page of each layout that has the most different components, which their classes tell apart. */
export function richestOfLayouts<P extends Document>(pages: readonly P[]): ReadonlyMap<string, P> {
  const richest = new Map<string, { readonly page: P; readonly count: number }>()
  for (const page of pages) {
    const { layout, classes } = readClasses(page.html)
    if (classes.size > (richest.get(layout)?.count ?? 0)) richest.set(layout, { page, count: classes.size })
  }
  return new Map([...richest].map(([layout, { page }]) => [layout, page]))
}
