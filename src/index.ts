import { DurableObject } from 'cloudflare:workers'

export class Vault extends DurableObject<Env> {}
export class Throttle extends DurableObject<Env> {}

export default {
  fetch: () => new Response('Fieldfare'),
} satisfies ExportedHandler<Env>
