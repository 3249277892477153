import { expect, it } from 'vitest'
import { useBrowser, withChromium } from '../support/browser'
import { mastoOf } from '../support/masto'
import { openAsMember } from '../support/member-page'
import { newPerson, origin } from '../support/people'
import { mediaPath } from '../support/pictures'

withChromium('the web client without scripts', () => {
  const place = useBrowser()

  it('a member answers a post with a described picture, favourites it, and deletes the answer', async () => {
    const author = await newPerson()
    const client = mastoOf(author)
    const question = await client.v1.statuses.create({ status: 'Who has seen a wren?' })
    const path = `/@${author.username}/${question.id}`
    const { page, complaints, close } = await openAsMember(place.browser, '/home', {
      javaScriptEnabled: false,
    })
    await page.goto(origin + path)
    await page.getByRole('button', { name: 'Favourite' }).click()
    await page.getByLabel('Reply to').fill(`@${author.username} Here is one`)
    await page.getByRole('form', { name: 'Reply' }).getByRole('button', { name: 'Pictures' }).click()
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

  it('a member follows an account, keeps a note, mutes it for a day, and reports a post of it', async () => {
    const author = await newPerson()
    const client = mastoOf(author)
    const post = await client.v1.statuses.create({ status: 'Buy my wrens!' })
    const { id } = await client.v1.accounts.verifyCredentials()
    const path = `/@${author.username}`
    const { member, page, complaints, close } = await openAsMember(place.browser, '/home', {
      javaScriptEnabled: false,
    })
    const menu = page.getByRole('group').filter({ hasText: 'Link to this profile' })
    await page.goto(origin + path)
    await page.getByRole('button', { name: 'Follow', exact: false }).click()
    await page.getByRole('button', { name: /^Following/ }).waitFor()
    expect(await client.v1.accounts.$select(id).followers.list()).toMatchObject([
      { username: member.username },
    ])
    await menu.locator('summary').click()
    await page.getByRole('link', { name: 'Add a note' }).click()
    await page.getByLabel('Your note').fill('sells wrens')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(origin + path)
    expect(await page.locator('.private').innerText()).toContain('sells wrens')
    await page.goto(`${origin}/accounts/${id}/report?status=${post.id}`)
    await page.getByLabel('It’s spam').check()
    expect(await page.getByRole('checkbox', { name: 'Buy my wrens!' }).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Send report' }).click()
    await page.getByRole('link', { name: /^Mute/ }).click()
    await page.getByLabel('For how long').selectOption('86400')
    await page.getByRole('button', { name: /^Mute/ }).click()
    await page.waitForURL(`${origin}/home`)
    await page.goto(origin + path)
    await page.getByRole('button', { name: /^Unmute/ }).waitFor()
    expect(complaints).toEqual([])
    await close()
  })
})
