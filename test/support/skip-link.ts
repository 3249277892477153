import { DomUtils, parseDocument } from 'htmlparser2'
import { expect } from 'vitest'

/** Expects the first link of a page to lead to its heading, after every menu, in an element that takes the focus. */
export function expectSkippedMenu(html: string): void {
  const { children } = parseDocument(html)
  const [link] = DomUtils.getElementsByTagName('a', children)
  const target = DomUtils.getElementById((link?.attribs['href'] ?? '').slice(1), children)
  if (target === null) throw new Error(`The first link leads nowhere: ${link?.attribs['href']}`)
  expect(target.attribs['tabindex']).toBe('-1')
  expect(DomUtils.getElementsByTagName('h1', target.children)).toHaveLength(1)
  const isMenu = (name: string) =>
    DomUtils.getElementsByTagName('nav', target.children).some(({ attribs }) => attribs['class'] === name)
  expect(isMenu('sub')).toBe(false)
}
