# SPDX-License-Identifier: Apache-2.0
"""Which folder includes which."""
import collections

import tree


def folder_graph(sources):
    """{folder: {folder}} of includes between folders of the tree."""
    graph = collections.defaultdict(set)
    for path, text in sources.items():
        folder = path.rpartition("/")[0]
        for included in tree.includes(text):
            to = included.rpartition("/")[0]
            if included.startswith(tree.PRODUCT) and to != folder:
                graph[folder].add(to)
    return graph


def reachable(graph, folder):
    seen, todo = set(), [folder]
    while todo:
        for to in graph.get(todo.pop(), ()):
            if to not in seen:
                seen.add(to)
                todo.append(to)
    return seen


def circles(graph):
    """Sets of folders that reach one another."""
    reach = {folder: reachable(graph, folder) for folder in list(graph)}
    found = {frozenset(other for other in reach[folder] if folder in reach.get(other, ())) | {folder}
             for folder in reach if folder in reach[folder]}
    return sorted(found, key=sorted)
