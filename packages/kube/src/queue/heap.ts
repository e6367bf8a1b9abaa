/** A value's place in a {@link Heap}; `index` is kept up to date by the heap. */
export interface HeapNode<T> {
  readonly value: T;
  index: number;
}

/** A binary heap whose members can be moved and removed through the node that `push` returned. */
export interface Heap<T> {
  readonly size: number;
  /** The value that comes before all others. */
  peek(): T | undefined;
  push(value: T): HeapNode<T>;
  /** Restores the order after the value of this node changed. */
  moved(node: HeapNode<T>): void;
  /** Takes the node out. It must be a member. */
  remove(node: HeapNode<T>): void;
}

/** An empty heap ordered by `before`. */
export function createHeap<T>(before: (a: T, b: T) => boolean): Heap<T> {
  const nodes: HeapNode<T>[] = [];

  return {
    get size() {
      return nodes.length;
    },
    peek: () => nodes[0]?.value,
    push: (value) => {
      const node = { value, index: nodes.length };
      nodes.push(node);
      siftUp(node);
      return node;
    },
    moved: (node) => {
      siftUp(node);
      siftDown(node);
    },
    remove: (node) => {
      const last = nodes.pop();
      if (last === undefined || last === node) return;
      place(last, node.index);
      siftUp(last);
      siftDown(last);
    },
  };

  function siftUp(node: HeapNode<T>): void {
    while (node.index > 0) {
      const hole = node.index;
      const parent = nodes[(hole - 1) >> 1];
      if (parent === undefined || !before(node.value, parent.value)) return;
      place(node, parent.index);
      place(parent, hole);
    }
  }

  function siftDown(node: HeapNode<T>): void {
    for (;;) {
      const hole = node.index;
      const child = firstChild(hole);
      if (child === undefined || !before(child.value, node.value)) return;
      place(node, child.index);
      place(child, hole);
    }
  }

  function firstChild(index: number): HeapNode<T> | undefined {
    const left = nodes[2 * index + 1];
    const right = nodes[2 * index + 2];
    if (left === undefined || right === undefined) return left;
    return before(right.value, left.value) ? right : left;
  }

  function place(node: HeapNode<T>, index: number): void {
    nodes[index] = node;
    node.index = index;
  }
}
