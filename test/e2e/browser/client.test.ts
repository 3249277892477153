import { expect, it } from 'vitest'
import { newWindows, useBrowser, withChromium } from '../support/browser'
import { mastoOf } from '../support/masto'
import { newPerson, origin } from '../support/people'
import { mediaPath } from '../support/pictures'
import { type Member, signUp } from '../support/sign-in'
import { Visitor } from '../support/visitor'

withChromium('the web client without scripts', () => {
  const place = useBrowser()

  async function open(member: Member, path: string) {
    const { context, complaints } = await newWindows(place.browser, { javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(origin + path)
    await page.getByLabel('E-mail address or username').fill(member.username)
    await page.getByLabel('Password', { exact: true }).fill(member.password)
    await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(origin + path)
    return { page, complaints, close: () => context.close() }
  }

  it('a member answers a post with a described picture, favourites it, and deletes the answer', async () => {
    const author = await newPerson()
    const client = mastoOf(author)
    const question = await client.v1.statuses.create({ status: 'Who has seen a wren?' })
    const member = await signUp(new Visitor())
    const path = `/@${author.username}/${question.id}`
    const { page, complaints, close } = await open(member, '/home')
    await page.goto(origin + path)
    await page.getByRole('button', { name: 'Favourite' }).click()
    await page.getByRole('link', { name: 'Reply to' }).click()
    await page.getByLabel('What would you like to say?').fill(`@${author.username} Here is one`)
    await page.getByLabel('Pictures, video or sound').setInputFiles(mediaPath('gray.png'))
    await page.getByRole('button', { name: 'Attach' }).click()
    await page.getByLabel('Description of attachment 1').fill('A wren on a fence')
    await page.getByRole('button', { name: 'Post', exact: true }).click()
    const { descendants } = await client.v1.statuses.$select(question.id).context.fetch()
    expect(descendants).toMatchObject([
      { inReplyToId: question.id, mediaAttachments: [{ description: 'A wren on a fence' }] },
    ])
    expect((await client.v1.statuses.$select(question.id).fetch()).favouritesCount).toBe(1)
    const [answer] = descendants
    await page.goto(`${origin}/posts/${answer?.id}/delete`)
    await page.getByRole('button', { name: 'Delete post' }).click()
    expect((await client.v1.statuses.$select(question.id).context.fetch()).descendants).toEqual([])
    expect(complaints).toEqual([])
    await close()
  })
})
