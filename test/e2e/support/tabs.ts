import type { Browser, BrowserContext, Page } from 'playwright-core'
import { hangLimit } from '../../support/hang-limit'

/** Cookies of a session, and the language that the browser prefers. */
export interface Reader {
  readonly language: string
  readonly cookies: ReadonlyMap<string, string>
}

/**
 * Tabs that go from page to page, as a tab that has shown one before opens the next with half the CPU time: its process
 * runs, and has compiled the scripts of the tests. Each reader has a tab in a browser context of its own.
 */
export class Tabs {
  readonly #browser: Browser
  readonly #origin: string
  readonly #contexts = new Map<Reader, Promise<BrowserContext>>()
  readonly #free = new Map<Reader, Page[]>()

  constructor(browser: Browser, origin: string) {
    this.#browser = browser
    this.#origin = origin
  }

  /** Runs `look` in a tab of the reader that runs nothing else meanwhile. */
  async use<T>(reader: Reader, look: (page: Page) => Promise<T>): Promise<T> {
    const context = this.#contexts.get(reader) ?? this.#open(reader)
    this.#contexts.set(reader, context)
    const free = this.#free.get(reader) ?? []
    this.#free.set(reader, free)
    const page = free.pop() ?? (await (await context).newPage())
    const result = await look(page)
    free.push(page)
    return result
  }

  async close(): Promise<void> {
    for (const context of this.#contexts.values()) await (await context).close()
  }

  async #open({ language, cookies }: Reader): Promise<BrowserContext> {
    const context = await this.#browser.newContext({
      locale: language,
      reducedMotion: 'reduce',
      serviceWorkers: 'block',
    })
    context.setDefaultTimeout(hangLimit.timeout)
    await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: this.#origin })))
    return context
  }
}
