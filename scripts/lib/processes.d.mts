export function childrenOf(parent: number): readonly number[]
export function killNow(pid: number): void
