// Builds the process that holds a pod's namespaces on the nodes of test/cluster/nodes.
module tidemark/test/cluster/pause

go 1.24
