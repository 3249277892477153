import type { Page } from 'playwright-core'
import { expect } from 'vitest'

interface Focus {
  readonly text: string
  readonly isMarked: boolean
  readonly isInWindow: boolean
}

/** Element that has the focus: its name, and whether people see that it has. */
function focusOf(page: Page): Promise<Focus> {
  return page.evaluate<Focus>(`(() => {
    const element = document.activeElement
    const style = getComputedStyle(element)
    const { top, bottom, left, right } = element.getBoundingClientRect()
    const label = element.labels?.[0]?.innerText ?? element.innerText ?? ''
    return {
      text: (label.trim() || element.getAttribute('aria-label') || '').split('\\n')[0],
      isMarked: style.outlineStyle !== 'none' || style.boxShadow !== 'none',
      isInWindow: bottom > 0 && top < innerHeight && right > 0 && left < innerWidth,
    }
  })()`)
}

/**
 * Presses Tab until what has the focus says `text`; fails where a keyboard cannot get to, and where people do not see how
 * far they are.
 */
export async function tabTo(page: Page, text: string): Promise<void> {
  const seen: string[] = []
  for (let nth = 0; nth < 80; nth += 1) {
    await page.keyboard.press('Tab')
    const focus = await focusOf(page)
    seen.push(focus.text)
    expect(focus).toEqual({ text: focus.text, isMarked: true, isInWindow: true })
    if (focus.text === text) return
  }
  throw new Error(`The keyboard does not get to ${text}, only to ${seen.join(', ')}`)
}

/** Skips the frame of a page and its menu with its first link, as people without a mouse do. */
export async function skipToContent(page: Page): Promise<void> {
  await tabTo(page, 'Skip to content')
  await page.keyboard.press('Enter')
  const skippedTo = await page.evaluate(`(() => {
    const { activeElement } = document
    return {
      hasHeading: activeElement.querySelector('h1') !== null,
      hasMenu: activeElement.querySelector('.sub') !== null,
    }
  })()`)
  expect(skippedTo).toEqual({ hasHeading: true, hasMenu: false })
}

/** Presses Enter and waits for the page it leads to. */
export async function pressEnter(page: Page): Promise<void> {
  const loaded = page.waitForEvent('load')
  await page.keyboard.press('Enter')
  await loaded
}
