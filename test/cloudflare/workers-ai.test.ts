import { describe, expect, it } from 'vitest'
import { workersAi } from '../../src/cloudflare/workers-ai'
import { Unavailable } from '../../src/errors'

const model = '@cf/meta/m2m100-1.2b'
const words: Readonly<Record<string, string>> = { 'Guten Morgen': 'Good morning <', du: 'you', Welt: 'world' }

/** A binding that knows some words, and remembers what it was asked. */
function binding(answer: (text: string) => unknown = (text) => ({ translated_text: words[text] ?? text })) {
  const asked: unknown[] = []
  return {
    asked,
    run: async (name: string, input: Readonly<Record<string, unknown>>) => {
      asked.push({ name, ...input })
      return answer(String(input['text']))
    },
  }
}

const order = (...texts: string[]) => ({ texts, source: 'de', target: 'en' })

describe('Workers AI', () => {
  it('translates the running text of HTML and leaves tags, links and code', async () => {
    const ai = binding()
    const link = '<a href="https://x.test/" class="mention">@du</a>'
    const { texts } = await workersAi(ai, model).translate(
      order(`<p>Guten Morgen ${link} du<br />Welt</p><pre>Welt</pre>`, 'Welt', '12'),
    )
    expect(texts).toEqual([`<p>Good morning &lt; ${link} you<br />world</p><pre>Welt</pre>`, 'world', '12'])
    expect(ai.asked[0]).toEqual({ name: model, text: 'Guten Morgen', source_lang: 'de', target_lang: 'en' })
  })

  it('offers no translation of a text without a language', async () => {
    const pairs = await workersAi(binding(), model).pairs()
    expect(pairs['de']).toContain('en')
    expect(pairs['de']).not.toContain('de')
    expect(pairs).not.toHaveProperty('und')
  })

  it.each([null, {}, { translated_text: 1 }, 'text'])(
    'reports a failure for the answer %j',
    async (answer) => {
      const failing = workersAi(
        binding(() => answer),
        model,
      )
      await expect(failing.translate(order('Welt'))).rejects.toBeInstanceOf(Unavailable)
    },
  )

  it('reports a failure, also for a post of too many pieces', async () => {
    const failing = workersAi({ run: async () => Promise.reject(new Error('Welt')) }, model)
    const failure = await failing.translate(order('Welt')).catch((thrown: unknown) => thrown)
    expect(failure).toBeInstanceOf(Unavailable)
    expect(JSON.stringify(failure)).not.toContain('Welt')
    const long = '<br />Welt'.repeat(41)
    await expect(workersAi(binding(), model).translate(order(long))).rejects.toThrow('too long')
  })
})
