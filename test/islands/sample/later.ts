// A script that loads another part only when it is needed.
import { findAll } from '../../../src/islands/lib/page'

for (const button of findAll(document, '[data-later]', HTMLElement))
  button.addEventListener('click', async () => {
    const { toText } = await import('../../../src/islands/lib/passkey')
    button.title = toText(new ArrayBuffer(1))
  })
