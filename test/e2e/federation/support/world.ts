import { eventually } from './api'
import { type Instance, openInstance } from './instance'
import { Router } from './router'

/** Several instances that know the way to each other. */
export interface World {
  readonly router: Router
  readonly instances: readonly Instance[]
  /** The instance at `https://NAME.test`; fails where none of that name was opened. */
  instance(name: string): Instance
  close(): Promise<void>
}

/** State that the files of one process share. */
interface Shared {
  readonly router: Router
  readonly instances: Map<string, Promise<Instance>>
  /** User names given out so far, by domain. */
  readonly usernames: Set<string>
}

declare global {
  /** Closes the instances that the files of this process shared; called by `environment.ts`. */
  var closeSharedWorld: (() => Promise<void>) | undefined
}

let shared: Shared | null = null

function sharedWorld(): Shared {
  if (shared !== null) return shared
  const made: Shared = { router: new Router(), instances: new Map(), usernames: new Set() }
  shared = made
  globalThis.closeSharedWorld = async () => {
    const opened = await Promise.allSettled(made.instances.values())
    for (const one of opened) if (one.status === 'fulfilled') await one.value.close()
    made.router.uninstall()
  }
  return made
}

/**
 * The instances of these names, `a` at `https://a.test`. All files of a process share them, since a start takes seconds;
 * each file begins with nothing on its way between them, and sees neither passages nor complaints from before.
 */
export async function openWorld(...names: readonly string[]): Promise<World> {
  const { router, instances, usernames } = sharedWorld()
  router.install()
  for (const name of names) if (!instances.has(name)) instances.set(name, openInstance(name, router))
  const opened = await Promise.all([...instances.values()])
  await Promise.all(opened.flatMap((from) => opened.map((to) => delivered(from, to))))
  router.reset(new Set(opened.map(({ domain }) => domain)))
  const found = opened.filter(({ name }) => names.includes(name)).map((one) => seenFromNow(one, usernames))
  const instance = (name: string) => {
    const one = found.find((each) => each.name === name)
    if (one === undefined) throw new Error(`No instance ${name} was opened`)
    return one
  }
  return { router, instances: found, instance, close: async () => router.uninstall() }
}

/** Waits until nothing is on its way. */
async function delivered(from: Instance, to: Instance): Promise<void> {
  if (from === to) return
  await eventually(async () => {
    const count = await from.waiting(to.domain)
    if (count === 0) return
    await from.hurry(to.domain)
    throw new Error(`${count} deliveries from ${from.domain} to ${to.domain} wait`)
  })
}

/** An instance without the complaints so far, whose new members get another name where theirs is taken. */
function seenFromNow(instance: Instance, usernames: Set<string>): Instance {
  const before = instance.complaints().length
  return {
    ...instance,
    complaints: () => instance.complaints().slice(before),
    member: (username) => {
      let free = username
      for (let nth = 2; usernames.has(`${free}@${instance.domain}`); nth += 1) free = `${username}_${nth}`
      usernames.add(`${free}@${instance.domain}`)
      return instance.member(free)
    },
  }
}
