import { describe, expect, it } from 'vitest'
import { signedIn } from '../../support/members'

const path = '/publish'
const action = { action: path }

describe('the picker of emojis', () => {
  it('opens below its post, and closes, without losing what was typed', async () => {
    const { browser } = await signedIn()
    expect((await browser.get(path)).html).not.toContain('data-emojis')
    const two = { posts: '2', status: 'One', status_2: 'Two' }
    const opened = await browser.fill(path, { ...two, press: 'emoji:2' }, action)
    expect(opened.html).toContain('value="insert:2:🐦"')
    expect(opened.html).not.toContain('value="insert:1:🐦"')
    expect(opened.html).toContain('data-emojis="/emojis/en.json"')
    for (const text of ['One', 'Two']) expect(opened.html).toContain(`>${text}</textarea>`)
    const closed = await browser.fill(path, { ...two, press: 'open' }, action)
    expect(closed.html).not.toContain('data-emojis')
  })

  it('appends an emoji to its post without scripts, one of the server between spaces, and stays open', async () => {
    const { browser } = await signedIn()
    const two = { posts: '2', status: 'One', status_2: 'Two' }
    const bird = await browser.fill(path, { ...two, press: 'insert:2:🐦' }, action)
    expect(bird.html).toContain('>Two🐦</textarea>')
    expect(bird.html).toContain('>One</textarea>')
    expect(bird.html).toContain('value="insert:2:🐦"')
    const wren = await browser.fill(path, { ...two, press: 'insert:1::wren:' }, action)
    expect(wren.html).toContain('>One :wren: </textarea>')
  })

  it('takes no more than an emoji from a hostile button', async () => {
    const { browser } = await signedIn()
    for (const press of [`insert:1:${'x'.repeat(5_000)}`, 'insert:99:🐦', 'insert:1:', 'insert:::']) {
      const { status, html } = await browser.fill(path, { status: 'One', press }, action)
      expect([press.slice(0, 12), status]).toEqual([press.slice(0, 12), 200])
      expect(/<textarea[^>]*name="status"[^>]*>\n?([^<]*)/.exec(html)?.[1]?.length).toBeLessThanOrEqual(103)
    }
  })
})
