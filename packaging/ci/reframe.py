# SPDX-License-Identifier: BSD-3-Clause
# A test for ReFrame, written from its documentation; not run.  --expect makes it fail if both ranks are on
# one node.  The median is the third field of the row.  1.5 us with +10% is an example: use your own limit.
import reframe as rfm
import reframe.utility.sanity as sn


@rfm.simple_test
class AlidadeLatency(rfm.RunOnlyRegressionTest):
    valid_systems = ['*']
    valid_prog_environs = ['*']
    executable = '/opt/alidade/libexec/alidade/mpi/pt2pt/latency'
    executable_opts = ['-m', '8:8', '--expect', 'path=inter-node', '--columns', 'median']
    num_tasks = 2
    num_tasks_per_node = 1
    reference = {'*': {'latency': (1.5, None, 0.10, 'us')}}

    @sanity_function
    def table_is_there(self):
        return sn.all([sn.assert_not_found(r'# suspect:', self.stdout),
                       sn.assert_found(r'^8\s', self.stdout)])

    @performance_function('us')
    def latency(self):
        return sn.extractsingle(r'^8\s+\S+\s+(\S+)', self.stdout, 1, float)
